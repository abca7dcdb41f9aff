/** Pipeline files checked: all that can be known without opening an input or an output, every error with its place. */
package dev.tidemill.pipeline.check;
