// The native part, or an error that says how to build it.
'use strict';

function load() {
  try {
    return require('../gametree.node');
  } catch (error) {
    const missing = error.code === 'MODULE_NOT_FOUND';
    const reason = missing
      ? 'the native part is not built; run `npm rebuild gametree` (needs Rust, and install scripts must be allowed)'
      : `the native part does not load (${error.message}); build it for this system with \`npm rebuild gametree\``;
    throw new Error(`gametree: ${reason}`, { cause: error });
  }
}

module.exports = load();
