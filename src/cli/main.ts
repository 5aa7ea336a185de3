#!/usr/bin/env node
import { runCommandLine } from './command-line.js';
import { watchStreams } from './streams.js';

watchStreams(process);
process.exitCode = await runCommandLine(process.argv.slice(2));
