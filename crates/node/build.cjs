// Builds the native part with cargo and puts it beside this file. `npm install` runs it.
'use strict';

const { execFileSync } = require('node:child_process');
const fs = require('node:fs');
const path = require('node:path');

const PROFILE = 'wheel';

/** The file that cargo writes on this system. */
function library() {
  if (process.platform === 'win32') return 'gametree_node.dll';
  if (process.platform === 'darwin') return 'libgametree_node.dylib';
  return 'libgametree_node.so';
}

/** Runs cargo and returns the file it built. */
function build() {
  const args = ['build', '--profile', PROFILE, '--package', 'gametree-node'];
  const options = { cwd: __dirname, stdio: ['ignore', 'inherit', 'inherit'] };
  try {
    execFileSync('cargo', args, options);
  } catch (error) {
    if (error.code !== 'ENOENT') throw error;
    throw new Error('cargo not found: install Rust 1.95 or later (https://rustup.rs), then run `npm install` again');
  }
  return path.join(targetDirectory(), PROFILE, library());
}

/** Where cargo puts what it builds; CARGO_TARGET_DIR and cargo's settings may change it. */
function targetDirectory() {
  const args = ['metadata', '--format-version', '1', '--no-deps'];
  const metadata = execFileSync('cargo', args, { cwd: __dirname, maxBuffer: 1 << 26 });
  return JSON.parse(metadata).target_directory;
}

try {
  // A library that is replaced while a process has it loaded must be a new file.
  const target = path.join(__dirname, 'gametree.node');
  const temporary = `${target}.${process.pid}`;
  fs.copyFileSync(build(), temporary);
  fs.renameSync(temporary, target);
} catch (error) {
  console.error(`gametree: ${error.message}`);
  process.exit(1);
}
