/* Of a file, as docs/gone.md has it. */
