import { createHash } from 'node:crypto';
import { zipSync } from 'fflate';

/** Of every file, so that the same sources make the same wheel. */
const MODIFIED = new Date(1980, 0, 1);
const NAME = 'switchyard_client';

/** A file of one package that pip installs, with its name, which pip reads the version from. */
export interface Wheel {
  readonly name: string;
  readonly content: Uint8Array;
}

/** Makes the wheel of the client for Python (https://packaging.python.org/en/latest/specifications/binary-distribution-format/). */
export function makeWheel(module: string, version: string, licence: string): Wheel {
  const information = `${NAME}-${version}.dist-info`;
  const files: Record<string, string> = {
    // A package and no file alone: checkers read types of installed code only beside the mark `py.typed` (PEP 561).
    'switchyard/__init__.py': module,
    'switchyard/py.typed': '',
    [`${information}/licenses/LICENSE`]: licence,
    [`${information}/METADATA`]: [
      'Metadata-Version: 2.4',
      'Name: switchyard-client',
      `Version: ${version}`,
      'Summary: Client of the Switchyard REST API',
      'License-Expression: Apache-2.0',
      'License-File: LICENSE',
      'Requires-Python: >=3.9',
      '',
    ].join('\n'),
    [`${information}/WHEEL`]: 'Wheel-Version: 1.0\nGenerator: switchyard\nRoot-Is-Purelib: true\nTag: py3-none-any\n',
  };
  const record = Object.entries(files).map(([path, content]) => {
    const hash = createHash('sha256').update(content).digest('base64url');
    return `${path},sha256=${hash},${Buffer.byteLength(content)}\n`;
  });
  files[`${information}/RECORD`] = `${record.join('')}${information}/RECORD,,\n`;
  const entries = Object.entries(files).map(([path, content]) => [path, Buffer.from(content)] as const);
  return { name: `${NAME}-${version}-py3-none-any.whl`, content: zipSync(Object.fromEntries(entries), { mtime: MODIFIED }) };
}
