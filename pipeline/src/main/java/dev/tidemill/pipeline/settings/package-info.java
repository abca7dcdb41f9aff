/** Every setting of a pipeline, and where its value comes from: command line, environment, file, default. */
package dev.tidemill.pipeline.settings;
