/** Pipeline files as trees of values that know their place: TOML, YAML and JSON, references to secrets, values of described options. */
package dev.tidemill.pipeline.read;
