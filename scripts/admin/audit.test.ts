import { spawnSync } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { openSwitchyard, type Switchyard } from '@switchyard/api/process';
import { createTestDatabase, TEST_CONNECTION, type TestDatabase } from '@switchyard/db/testing';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { createTestMerchant, ORIGIN } from '../../packages/api/src/testing/switchyard.ts';

/** Each command is a process of its own. */
const COMMANDS_MS = 240_000;

let database: TestDatabase;
let switchyard: Switchyard;
let environment: Record<string, string>;
let folder: string;
let merchantId: string;
let otherId: string;

beforeAll(async () => {
  database = await createTestDatabase();
  folder = mkdtempSync(join(tmpdir(), 'switchyard-audit-'));
  const key = randomBytes(32).toString('base64');
  environment = {
    DATABASE_URL: database.url,
    SWITCHYARD_ENCRYPTION_KEYS: `k1:${key}`,
    SWITCHYARD_KEY_PEPPER: key,
    SWITCHYARD_PUBLIC_URL: ORIGIN,
  };
  switchyard = openSwitchyard(environment, { write: () => undefined }, TEST_CONNECTION);
  merchantId = await createTestMerchant(switchyard, 'Balogun Books');
  otherId = await createTestMerchant(switchyard, 'Ada Foods');
});
afterAll(async () => {
  rmSync(folder, { recursive: true, force: true });
  await switchyard.close();
  await database.close();
});

function audit(args: readonly string[], changes: Record<string, string> = {}) {
  return spawnSync(process.execPath, ['scripts/admin/main.ts', 'audit', ...args], {
    cwd: join(import.meta.dirname, '../..'),
    encoding: 'utf8',
    env: { ...process.env, ...environment, ...changes },
  });
}

/** Runs statements as someone with full access to the database. */
async function tamper(...statements: string[]): Promise<void> {
  const all = ['ALTER TABLE audit_entry DISABLE TRIGGER USER', ...statements, 'ALTER TABLE audit_entry ENABLE TRIGGER USER'];
  await database.pool.query(all.join(';'));
}

test(
  'every chain is verified, heads are printed to keep, and what was changed is named with exit code 1',
  async () => {
    const intact = audit(['verify']);
    expect([intact.stderr.includes('Every chain is intact'), intact.status]).toEqual([true, 0]);
    const heads = intact.stdout.trim().split('\n');
    expect(heads.map((line) => JSON.parse(line).tenantId).sort()).toEqual([merchantId, otherId].sort());
    const file = join(folder, 'heads.jsonl');
    writeFileSync(file, `\n> switchyard@0.1.0 admin\n${intact.stdout}`);
    expect(audit(['verify', '--head', file]).status).toBe(0);

    await tamper(
      `DELETE FROM audit_entry WHERE tenant_id = '${otherId}'`,
      `DELETE FROM audit_head WHERE tenant_id = '${otherId}'`,
    );
    await tamper(`UPDATE audit_entry SET actor = 'staff:eve' WHERE tenant_id = '${merchantId}' AND position = 1`);
    const broken = audit(['verify', '--head', file]);
    expect(broken.status).toBe(1);
    expect(broken.stderr).toContain(`Balogun Books (${merchantId}), entry 1: its fields do not match its hash`);
    expect(broken.stderr).toContain(`Ada Foods (${otherId}), entry 1: it and all after it were cut off the end`);
    const one = audit(['verify', '--merchant', otherId]);
    expect([one.status, one.stderr.includes('Balogun')]).toEqual([1, false]);
  },
  COMMANDS_MS,
);

test(
  'a command that cannot run says why, with exit code 2',
  () => {
    expect(audit(['verify', '--merchant', 'x'])).toMatchObject({
      status: 2,
      stderr: expect.stringContaining('usage: switchyard-admin audit verify'),
    });
    expect(audit(['verify', '--head', join(folder, 'none')]).status).toBe(2);
    expect(audit(['verify'], { SWITCHYARD_AUDIT_KEYS: 'a1:short' })).toMatchObject({ status: 2 });
  },
  COMMANDS_MS,
);
