import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { claimFile } from '../bootstrap/claim.mjs';
import { thisProject } from './project.ts';
import { localSecrets, readLocalSecrets } from './settings.ts';

test('commands take the secrets of this installation for its own database alone', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'switchyard-local-'));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  const project = thisProject(folder);
  expect(readLocalSecrets(project, {})).toEqual({});
  const secrets = localSecrets(project.secretsFile);
  const ofStart = 'postgresql://db.internal/switchyard';
  expect(readLocalSecrets(project, {})).toEqual(secrets);
  expect(readLocalSecrets(project, { DATABASE_URL: ofStart })).toEqual({});
  const claim = await claimFile(project.runFile);
  onTestFinished(() => claim?.release());
  claim?.update({ databaseUrl: ofStart });
  expect(readLocalSecrets(project, { DATABASE_URL: ofStart })).toEqual(secrets);
  expect(readLocalSecrets(project, { DATABASE_URL: 'postgresql://production/switchyard' })).toEqual({});
});
