import { randomBytes } from 'node:crypto';
import { createServer } from 'node:http';
import { openSwitchyard } from '@switchyard/api/process';
import { reportingListener } from '@switchyard/api/reporting';
import { newId } from '@switchyard/db';
import { issueToken } from '@switchyard/staff/machine-tokens';
import { createStaffUser } from '@switchyard/staff/users';

/*
 * Our GraphQL over HTTP on a database, with a machine token for every merchant in it: prints its address and headers, and runs
 * until its input ends.
 */

const databaseUrl = process.env.DATABASE_URL;
if (databaseUrl === undefined) throw new Error('DATABASE_URL must name the database');
const key = randomBytes(32).toString('base64');
const switchyard = openSwitchyard({
  DATABASE_URL: databaseUrl,
  SWITCHYARD_ENCRYPTION_KEYS: `k1:${key}`,
  SWITCHYARD_KEY_PEPPER: key,
  SWITCHYARD_PUBLIC_URL: 'http://localhost',
});
// The merchants were loaded as bare rows, without configuration revisions.
await switchyard.resources.database.pool.query(
  'INSERT INTO configuration_revision (merchant_id, revision) SELECT id, 1 FROM merchant ON CONFLICT DO NOTHING',
);
const server = createServer(reportingListener(switchyard));
await new Promise<void>((done) => server.listen(0, '127.0.0.1', done));
const address = server.address();
if (address === null || typeof address === 'string') throw new Error('the server has no port');
const url = `http://127.0.0.1:${address.port}/api/graphql`;
process.stdout.write(`${JSON.stringify({ url, headers: { authorization: `Bearer ${await tokenForReports()}` } })}\n`);
process.stdin.resume();
await new Promise((ended) => process.stdin.once('end', ended));
server.close();
server.closeAllConnections();
await switchyard.close();

async function tokenForReports(): Promise<string> {
  await switchyard.resources.configuration.ready();
  const merchantIds = switchyard.resources.configuration.merchants().map(({ merchant }) => merchant.id);
  const staffUser = await createStaffUser(switchyard, {
    email: `${newId()}@example.com`,
    name: 'Bench',
    password: newId(),
    grants: [{ merchantId: null, role: 'owner' }],
  });
  const issued = await issueToken(switchyard, {
    scopes: ['reports'],
    name: 'Bench',
    merchantIds,
    modes: ['live'],
    staffId: staffUser.staffId,
    expiresAt: new Date(Date.now() + 86_400_000),
  });
  if (issued.kind !== 'issued') throw new Error(JSON.stringify(issued));
  return issued.token;
}
