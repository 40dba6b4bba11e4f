import { readTable } from '@switchyard/runtime/tables';
import { grantRole } from '@switchyard/staff/grants';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { Switchyard } from '../process.ts';
import { Browser, createStaffWithGrants, createTestMerchant, ORIGIN, openTestSwitchyard } from '../testing/switchyard.ts';
import { exportAudit } from './audit-log.ts';

let switchyard: Switchyard;
let close: () => Promise<void>;
let people = 0;

beforeAll(async () => {
  ({ switchyard, close } = await openTestSwitchyard());
});
afterAll(() => close());

const hire = (grants: Parameters<typeof createStaffWithGrants>[2] = [{ merchantId: null, role: 'viewer' }]) =>
  createStaffWithGrants(switchyard, `reader-${++people}@example.com`, grants);

async function idOf(email: string): Promise<string> {
  return (await switchyard.resources.database.prisma.staffUser.findUniqueOrThrow({ where: { email } })).id;
}

async function signedIn(email: string): Promise<Browser> {
  const browser = new Browser(switchyard);
  const response = await browser.signIn(email);
  if (!response.ok) throw new Error(`sign-in failed: ${response.status}`);
  return browser;
}

describe('the audit log as a file', () => {
  const download = async (email: string, query: string) => {
    const browser = await signedIn(email);
    return exportAudit(switchyard, new Request(`${ORIGIN}/audit/export?${query}`, { headers: browser.headers() }));
  };

  test('contains every entry once, in each format, with formulas escaped', async () => {
    const merchantId = await createTestMerchant(switchyard, '=HYPERLINK("evil")');
    const owner = await hire([{ merchantId: null, role: 'owner' }]);
    const lines = (await (await download(owner, `format=ndjson&merchantId=${merchantId}`)).text()).trim().split('\n');
    const { prisma } = switchyard.resources.database;
    expect(lines).toHaveLength(await prisma.auditEntry.count({ where: { tenantId: merchantId } }));
    expect(lines.map((line) => JSON.parse(line).action)).toContain('merchant.created');
    const csv = await (await download(owner, `format=csv&merchantId=${merchantId}`)).text();
    expect(csv.split('\n')[0]).toContain('actor_name');
    expect(csv).toContain(`'=HYPERLINK`);
    expect(csv).not.toMatch(/(^|,)"?=HYPERLINK/m);
    const workbook = await (await download(owner, `format=xlsx&merchantId=${merchantId}`)).arrayBuffer();
    const table = await readTable(new Uint8Array(workbook), { rowsMax: 1_000 });
    if (table.kind !== 'read') throw new Error(JSON.stringify(table.problem));
    expect(table.rows.slice(1).map(({ cells }) => cells[3])).toEqual(lines.map((line) => JSON.parse(line).action));
    expect(table.rows.flatMap(({ cells }) => cells)).toContain('=HYPERLINK("evil")');
  });

  test('contains what its filter names and nothing else, in each format', async () => {
    const merchantId = await createTestMerchant(switchyard, 'Filtered');
    const owner = await hire([{ merchantId: null, role: 'owner' }]);
    const { prisma } = switchyard.resources.database;
    const actor = `staff:${await idOf(owner)}`;
    for (const role of ['viewer', 'finance'] as const) {
      await grantRole(switchyard, { staffId: await idOf(await hire()), merchantId, role, actor });
    }
    const rows = await prisma.auditEntry.findMany({ where: { tenantId: merchantId }, orderBy: { position: 'desc' } });
    const [last, earlier, created] = rows;
    if (last === undefined || earlier === undefined || created === undefined) throw new Error('they were recorded');
    const ids = async (filter: Record<string, string>, format = 'ndjson') => {
      const text = await (await download(owner, String(new URLSearchParams({ format, merchantId, ...filter })))).text();
      return rows.map(({ id }) => id).filter((id) => text.includes(id));
    };
    const roles = [last.id, earlier.id];
    expect(await ids({})).toEqual(rows.map(({ id }) => id));
    expect(await ids({ actor })).toEqual(roles);
    expect(await ids({ action: last.action })).toEqual(roles);
    expect(await ids({ objectType: last.objectType })).toEqual(roles);
    expect(await ids({ objectId: last.objectId })).toEqual([last.id]);
    expect(await ids({ from: last.createdAt.toISOString() })).toEqual(
      rows.filter(({ createdAt }) => createdAt >= last.createdAt).map(({ id }) => id),
    );
    expect(await ids({ to: earlier.createdAt.toISOString() })).toEqual(
      rows.filter(({ createdAt }) => createdAt < earlier.createdAt).map(({ id }) => id),
    );
    expect(await ids({ objectId: last.objectId }, 'csv')).toEqual([last.id]);
  });

  test('requires access to the log, and contains no other merchant', async () => {
    const mine = await createTestMerchant(switchyard, 'Mine');
    const theirs = await createTestMerchant(switchyard, 'Theirs');
    expect((await download(await hire(), 'format=csv')).status).toBe(403);
    expect((await exportAudit(switchyard, new Request(`${ORIGIN}/audit/export`))).status).toBe(401);
    const finance = await hire([{ merchantId: mine, role: 'finance' }]);
    expect((await download(finance, `merchantId=${theirs}`)).status).toBe(403);
    expect((await download(finance, 'workspace=true')).status).toBe(403);
    expect((await download(finance, 'from=never')).status).toBe(400);
    const all = await (await download(finance, 'format=ndjson')).text();
    expect(all).not.toContain(theirs);
    expect(all).toContain(mine);
  });

  test('names the author of a grant', async () => {
    const owner = await hire([{ merchantId: null, role: 'owner' }]);
    const viewer = await hire();
    const by = `staff:${await idOf(owner)}`;
    await grantRole(switchyard, { staffId: await idOf(viewer), merchantId: null, role: 'finance', actor: by });
    const text = await (await download(owner, `format=ndjson&actor=${by}&action=staff.role_granted`)).text();
    expect(JSON.parse(text)).toMatchObject({ actor_name: 'Ada Obi', before: { role: 'viewer' }, after: { role: 'finance' } });
  });
});
