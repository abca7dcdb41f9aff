/** Epochs of a pipeline in a store: what is kept, by whom, and where a run goes on. */
package dev.tidemill.pipeline.recovery;
