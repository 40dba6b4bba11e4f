import { spawnSync } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import pg from 'pg';
import { expect, inject, it } from 'vitest';
import { inDatabase, prismaCommand } from '../scripts/stack/database.ts';
import { thisProject } from '../scripts/stack/project.ts';

const { root } = thisProject();
const DIFF = ['migrate', 'diff', '--from-migrations', 'prisma/migrations', '--to-schema', 'prisma', '--exit-code'];

it('migrations lead to the schema (else: npm run db:migrate)', async () => {
  const admin = new pg.Client({ connectionString: inject('adminDatabaseUrl') });
  await admin.connect();
  const name = `diff_${randomUUID().replaceAll('-', '')}`;
  try {
    await admin.query(`CREATE DATABASE ${name}`);
    const DATABASE_URL = inDatabase(inject('adminDatabaseUrl'), name);
    const { command, args, env } = prismaCommand(root, DIFF, { ...process.env, DATABASE_URL });
    const { status, stdout, stderr } = spawnSync(command, args, { cwd: root, env, encoding: 'utf8' });
    expect(status, stdout + stderr).toBe(0);
  } finally {
    await admin.query(`DROP DATABASE IF EXISTS ${name} WITH (FORCE)`);
    await admin.end();
  }
});
