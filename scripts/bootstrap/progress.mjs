/**
 * Progress output: one line a step, with its duration. On a terminal the current step counts its seconds; elsewhere a long step
 * prints a line at intervals.
 *
 * @typedef {{ update: (detail: string) => void, clear: () => void, done: (label?: string) => void }} Step
 * @typedef {{ begin: (label: string) => Step, note: (text: string) => void }} Progress
 */

const TERMINAL_REFRESH_MS = 200;
const FIRST_LINE_MS = 2_000;
const LINE_INTERVAL_MS = 15_000;

/** @param {number} sinceMs */
export function seconds(sinceMs) {
  const passed = (Date.now() - sinceMs) / 1_000;
  return `${passed < 100 ? passed.toFixed(1) : passed.toFixed(0)} s`;
}

/**
 * @param {NodeJS.WriteStream} out
 * @param {() => string} line
 */
function toTerminal(out, line) {
  const show = () => out.write(`\r\x1b[2K  … ${line()}`);
  show();
  const timer = setInterval(show, TERMINAL_REFRESH_MS);
  return () => {
    clearInterval(timer);
    out.write('\r\x1b[2K');
  };
}

/**
 * @param {NodeJS.WriteStream} out
 * @param {() => string} line
 */
function toFile(out, line) {
  let timer = setTimeout(function sign() {
    out.write(`  … ${line()}\n`);
    timer = setTimeout(sign, LINE_INTERVAL_MS);
  }, FIRST_LINE_MS);
  return () => clearTimeout(timer);
}

/**
 * @param {NodeJS.WriteStream} [out]
 * @returns {Progress}
 */
export function createProgress(out = process.stdout) {
  return {
    begin(label) {
      const started = Date.now();
      let detail = '';
      const line = () => `${label}  ${detail ? `${detail}, ` : ''}${seconds(started)}`;
      const clear = out.isTTY ? toTerminal(out, line) : toFile(out, line);
      return {
        update: (text) => {
          detail = text;
        },
        clear,
        done(finished = label) {
          clear();
          out.write(`  ✓ ${finished.padEnd(46)} ${seconds(started).padStart(8)}\n`);
        },
      };
    },
    note: (text) => {
      out.write(`    ${text}\n`);
    },
  };
}
