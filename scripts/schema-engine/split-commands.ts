/** Parts of a script in which a semicolon ends no command: comments, quoted texts and names, and bodies between dollar signs. */
const OPAQUE = [
  /--[^\n]*/y,
  /\/\*[\s\S]*?\*\//y,
  /E'(?:[^'\\]|\\[\s\S]|'')*'/iy,
  /'(?:[^']|'')*'/y,
  /"(?:[^"]|"")*"/y,
  /(\$(?:[A-Za-z_]\w*)?\$)[\s\S]*?\1/y,
  // A name, so that an E or a dollar sign within it begins nothing.
  /[A-Za-z_][\w$]*/y,
];

/**
 * The commands of an SQL script, without the semicolons that end them; what is only blank or comments is left out. Comments that contain
 * comments are not understood. `sql-formatter`, `dbgate-query-splitter` and `libpg-query` were looked at: more than a script of ours
 * needs, and each would be part of every installation.
 */
export function splitCommands(script: string): string[] {
  const commands: string[] = [];
  let begins = 0;
  let hasCode = false;
  const end = (at: number): void => {
    if (hasCode) commands.push(script.slice(begins, at).trim());
    hasCode = false;
  };
  for (let at = 0; at < script.length; ) {
    const length = opaqueLength(script, at);
    if (length > 0) {
      if (!/^(--|\/\*)/.test(script.slice(at, at + 2))) hasCode = true;
      at += length;
    } else if (script[at] === ';') {
      end(at);
      at += 1;
      begins = at;
    } else {
      if (!/\s/.test(script[at] ?? '')) hasCode = true;
      at += 1;
    }
  }
  end(script.length);
  return commands;
}

/** Length of the part that begins here and is to be taken whole; 0 where none does. */
function opaqueLength(script: string, at: number): number {
  for (const pattern of OPAQUE) {
    pattern.lastIndex = at;
    const match = pattern.exec(script);
    // `E'…'` is looked for before names, and a name before it would be in the way.
    if (match !== null) return match[0].length;
  }
  return 0;
}
