/** Stacks of errors as long as Node's own, in place of jest's hundred frames: thousands of errors are part of answers. */
Error.stackTraceLimit = 10;
