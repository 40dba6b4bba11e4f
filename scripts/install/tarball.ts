import { spawnSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { cpSync, existsSync, readFileSync, renameSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { zipSync } from 'fflate';
import { z } from 'zod';
import { Problem } from '../bootstrap/problem.mjs';

/** One of our packages. */
export interface OwnPackage {
  /** Where npm has installed what it depends on, here or in a folder above. */
  readonly source: string;
  /** As it is published. */
  readonly built: string;
}

const dependentSchema = z.looseObject({ dependencies: z.record(z.string(), z.string()).default({}) });

/**
 * Packs a package with everything that it depends on inside, so that npm installs it from an address without asking a registry. Of its
 * dependencies, `own` are ours, by name. Writes the file at `target`.
 */
export function packWithDependencies(packed: OwnPackage, own: ReadonlyMap<string, OwnPackage>, target: string): void {
  const whole = `${packed.built}-whole`;
  cpSync(packed.built, whole, { recursive: true });
  const found = new Map<string, string>();
  findDependencies(packed.source, packed.built, own, found);
  for (const [name, folder] of found) cpSync(folder, join(whole, 'node_modules', name), { recursive: true, dereference: true });
  const manifest = readDependent(packed.built);
  const bundled = { ...manifest, bundleDependencies: Object.keys(manifest.dependencies) };
  writeFileSync(join(whole, 'package.json'), `${JSON.stringify(bundled, null, 2)}\n`);
  renameSync(pack(whole), target);
}

/** Adds what the package at `folder` needs, found from `from`, and what that needs. Throws where one name would be two versions. */
function findDependencies(from: string, folder: string, own: ReadonlyMap<string, OwnPackage>, found: Map<string, string>): void {
  for (const name of Object.keys(readDependent(folder).dependencies)) {
    const ours = own.get(name);
    const installed = ours?.built ?? findInstalled(name, from);
    const other = found.get(name);
    if (other === installed) continue;
    if (other !== undefined) throw new Problem(`${name} is needed from ${other} and from ${installed}`);
    found.set(name, installed);
    findDependencies(ours?.source ?? installed, installed, own, found);
  }
}

/** As Node finds packages: here, or in a folder above. */
function findInstalled(name: string, from: string): string {
  for (let folder = from; folder !== dirname(folder); folder = dirname(folder)) {
    const installed = join(folder, 'node_modules', name);
    if (existsSync(installed)) return installed;
  }
  throw new Problem(`${name} is not installed for ${from}`);
}

function readDependent(folder: string): z.output<typeof dependentSchema> {
  return dependentSchema.parse(JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8')));
}

/** Runs `npm pack`. Returns the path of what it wrote. */
function pack(folder: string): string {
  // Variables of the npm that runs this would make it pack another folder.
  const env = Object.fromEntries(Object.entries(process.env).filter(([name]) => !/^npm_/i.test(name)));
  const { status, stdout, stderr } = spawnSync('npm', ['pack', '--json', '--ignore-scripts', '--loglevel=error'], {
    cwd: folder,
    env,
    encoding: 'utf8',
  });
  if (status !== 0) throw new Problem(`npm could not pack ${folder}:\n${stderr}`);
  const [packed] = z.array(z.looseObject({ filename: z.string() })).parse(JSON.parse(stdout));
  if (packed === undefined) throw new Problem(`npm packed nothing of ${folder}`);
  return join(folder, packed.filename);
}

/** The time of every file, so that the same sources make the same wheel. */
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
