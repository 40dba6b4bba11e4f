/**
 * `npm run build:install [-- folder]`: builds what an installation serves at `/install`, for each release: the client and the command line as
 * packages of npm that need no registry, the clients for Python and PHP, and their checksums. Part of the build of the pages.
 */
import { createHash } from 'node:crypto';
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join, resolve } from 'node:path';
import { readApiOperations } from './install/api-operations.ts';
import { buildPublishable, readManifest } from './install/publishable.ts';
import { makeWheel, type OwnPackage, packWithDependencies } from './install/tarball.ts';
import { writePhp } from './install/write-php.ts';
import { writePython } from './install/write-python.ts';
import { generateTypes } from './stack/builds.ts';
import { runCommand } from './stack/command.ts';
import { thisProject } from './stack/project.ts';

const project = thisProject();
const target = resolve(process.argv[2] ?? join(project.root, 'apps', 'web', 'public', 'install'));

/** Builds our packages of npm into a folder. */
function buildPackages(folder: string, work: string): void {
  const own = new Map<string, OwnPackage>();
  for (const name of ['client', 'cli']) {
    const built = { source: join(project.root, 'packages', name), built: join(work, name) };
    buildPublishable(project, built.source, built.built);
    packWithDependencies(built, own, join(folder, `switchyard-${name}.tgz`));
    own.set(readManifest(built.source).name, built);
  }
}

function writeClients(folder: string): void {
  const api = readApiOperations();
  const { version } = readManifest(project.root);
  const python = writePython(api, version);
  writeFileSync(join(folder, 'switchyard.py'), python);
  const wheel = makeWheel(python, version, readFileSync(join(project.root, 'LICENSE'), 'utf8'));
  writeFileSync(join(folder, wheel.name), wheel.content);
  writeFileSync(join(folder, 'Switchyard.php'), writePhp(api, version));
}

/** In the form that `sha256sum --check` reads. */
function writeChecksums(folder: string): void {
  const lines = readdirSync(folder)
    .toSorted()
    .map(
      (name) =>
        `${createHash('sha256')
          .update(readFileSync(join(folder, name)))
          .digest('hex')}  ${name}\n`,
    );
  writeFileSync(join(folder, 'SHA256SUMS'), lines.join(''));
}

await runCommand(async () => {
  await generateTypes(project);
  const work = mkdtempSync(join(tmpdir(), 'switchyard-install-'));
  // Beside the target, which it replaces whole.
  const unfinished = `${target}.${process.pid}.unfinished`;
  try {
    mkdirSync(unfinished, { recursive: true });
    buildPackages(unfinished, work);
    writeClients(unfinished);
    writeChecksums(unfinished);
    rmSync(target, { recursive: true, force: true });
    mkdirSync(dirname(target), { recursive: true });
    renameSync(unfinished, target);
  } finally {
    rmSync(unfinished, { recursive: true, force: true });
    rmSync(work, { recursive: true, force: true });
  }
  return 0;
});
