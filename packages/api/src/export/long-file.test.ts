import { issueToken } from '@switchyard/staff/machine-tokens';
import { afterAll, beforeAll, expect, test } from 'vitest';
import type { Switchyard } from '../process.ts';
import { serveOverHttp } from '../testing/served.ts';
import {
  Browser,
  createStaffWithGrants,
  createTestMerchant,
  ORIGIN,
  openTestSwitchyard,
  recordPayment,
} from '../testing/switchyard.ts';
import { handleExport } from './handle.ts';

/** More pieces than listeners of one event that Node takes for a leak. */
const ROWS = 16_000;
const ROWS_PER_PIECE = 1_000;

let switchyard: Switchyard;
let close: () => Promise<void>;
let owner: Browser;
let merchantId = '';

beforeAll(async () => {
  ({ switchyard, close } = await openTestSwitchyard());
  merchantId = await createTestMerchant(switchyard, 'Long List');
  const id = await recordPayment(switchyard, merchantId, 'one');
  await switchyard.resources.database.prisma.$executeRaw`
    INSERT INTO refund (merchant_id, id, mode, payment_id, attempt_id, account_id, gateway, transaction_id, amount, currency, state,
      reference, requested_by, duplicate, mismatched, send_count, version, created_at, updated_at)
    SELECT ${merchantId}::uuid, gen_random_uuid(), 'test', ${id}::uuid, ${id}::uuid, ${id}::uuid, 'paystack', 't', 1, 'NGN',
      'SUCCEEDED', 'ref' || n, 'api', false, false, 0, 1, now(), now() FROM generate_series(1, ${ROWS}::int) AS n`;
  owner = new Browser(switchyard);
  await owner.signIn(await createStaffWithGrants(switchyard, 'owner@example.com', [{ merchantId: null, role: 'owner' }]));
});
afterAll(() => close());

function take(from: Switchyard): Promise<Response> {
  const search = new URLSearchParams({ filter: JSON.stringify({ mode: 'test', merchantIds: [merchantId] }) });
  return handleExport(from, 'refunds', new Request(`${ORIGIN}/api/export/refunds?${search}`, { headers: owner.headers() }));
}
const linesOf = (piece: Uint8Array | undefined) =>
  Buffer.from(piece ?? [])
    .toString()
    .split('\r\n').length - 1;

test('it is read no faster than its client reads, and not at all after the client disconnects', async () => {
  let read = 0;
  const { reports } = switchyard.resources;
  const counting: typeof reports = {
    ...reports,
    read: (questions, options) => {
      read += 1;
      return reports.read(questions, options);
    },
  };
  const response = await take({ ...switchyard, resources: { ...switchyard.resources, reports: counting } });
  const reader = response.body?.getReader();
  const counted = read;
  expect(counted).toBe(1);
  let had = 0;
  for (let piece = 1; piece <= 2; piece += 1) {
    had += linesOf((await reader?.read())?.value);
    expect(had).toBeLessThanOrEqual(piece * ROWS_PER_PIECE + 1);
    // The requested chunks, and one ahead.
    expect(read - counted).toBeLessThanOrEqual(piece + 1);
  }
  expect(had).toBeGreaterThan(ROWS_PER_PIECE);
  await reader?.cancel();
  expect(read - counted).toBeLessThanOrEqual(3);
});

test.each(['csv', 'ndjson'])('a %s file is compressed for a client that accepts it, and is the same file', async (format) => {
  const { id: staffId } = await switchyard.resources.database.prisma.staffUser.findFirstOrThrow();
  const issued = await issueToken(switchyard, {
    scopes: ['reports'],
    name: `Files ${format}`,
    merchantIds: [merchantId],
    modes: ['test'],
    staffId,
    expiresAt: new Date(Date.now() + 86_400_000),
  });
  if (issued.kind !== 'issued') throw new Error(issued.kind);
  const authorization = `Bearer ${issued.token}`;
  const served = await serveOverHttp(switchyard);
  const warnings: string[] = [];
  const note = ({ name }: Error): void => void warnings.push(name);
  process.on('warning', note);
  try {
    const search = new URLSearchParams({ filter: JSON.stringify({ mode: 'test', merchantIds: [merchantId] }), format });
    const fetchFile = (encoding: string) =>
      fetch(`${served.url}/api/export/refunds?${search}`, { headers: { authorization, 'accept-encoding': encoding } });
    const [plain, compressed] = await Promise.all([fetchFile('identity'), fetchFile('gzip')]);
    expect(plain.headers.get('content-encoding')).toBeNull();
    expect(compressed.headers.get('content-encoding')).toBe('gzip');
    const rows = await plain.text();
    expect(await compressed.text()).toBe(rows);
    expect(rows.split('\n').length).toBeGreaterThan(ROWS);
    expect(warnings).toEqual([]);
  } finally {
    process.off('warning', note);
    await served.close();
  }
});
