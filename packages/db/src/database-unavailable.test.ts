import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { openDatabase } from './connect.ts';
import { isDatabaseTimeout, isDatabaseUnavailable } from './database-unavailable.ts';
import { Prisma } from './generated/client.ts';
import { createTestDatabase, type TestDatabase } from './testing/database.ts';
import { newId } from './uuid.ts';

const raw = (message: string) => new Prisma.PrismaClientKnownRequestError(message, { code: 'P2010', clientVersion: '7' });

describe('the database', () => {
  it.each([
    ['refused the connection', Object.assign(new Error('connect'), { code: 'ECONNREFUSED' })],
    ['lost the connection of a raw query', raw('Raw query failed. Code: `N/A`. Message: `Server has closed the connection.`')],
    ['ended the session of a raw query', raw('Raw query failed. Code: `57P01`. Message: `terminating connection`')],
    ['was away when a transaction was committed', new Error('commit', { cause: { originalCode: '57P01' } })],
    ['could be reached at none of its addresses', new AggregateError([Object.assign(new Error('one'), { code: 'ETIMEDOUT' })])],
    ['gave no connection in time', new Error('timeout exceeded when trying to connect')],
  ])('is unavailable when it %s', (_what, error) => {
    expect(isDatabaseUnavailable(error)).toBe(true);
  });

  it.each([
    ['a statement has a mistake', raw('Raw query failed. Code: `42703`. Message: `column does not exist`')],
    ['a key is taken', Object.assign(new Error('duplicate key'), { code: '23505' })],
    ['the program has one', new TypeError('undefined is not a function')],
    ['nothing is known', undefined],
  ])('is there when %s', (_what, error) => {
    expect(isDatabaseUnavailable(error)).toBe(false);
  });
});

describe('a statement whose time was up', () => {
  it.each([
    ['of the driver', Object.assign(new Error('canceling statement due to statement timeout'), { code: '57014' })],
    ['of a raw query', raw('Raw query failed. Code: `57014`. Message: `canceling statement due to statement timeout`')],
    ['of a commit', new Error('commit', { cause: { originalCode: '57014' } })],
    ['among several', new AggregateError([Object.assign(new Error('one'), { code: '57014' })])],
  ])('%s may succeed later, on a database that is there', (_what, error) => {
    expect(isDatabaseTimeout(error)).toBe(true);
    expect(isDatabaseUnavailable(error)).toBe(false);
  });

  it('is no mistake in a statement, and an unavailable database is late too', () => {
    expect(isDatabaseTimeout(raw('Raw query failed. Code: `42703`. Message: `column does not exist`'))).toBe(false);
    expect(isDatabaseTimeout(Object.assign(new Error('connect'), { code: 'ECONNREFUSED' }))).toBe(true);
  });
});

describe('what the database itself says', () => {
  let database: TestDatabase;
  beforeAll(async () => {
    database = await createTestDatabase();
    await database.pool.query(`CREATE FUNCTION fail(code text) RETURNS void LANGUAGE plpgsql AS $$
      BEGIN RAISE EXCEPTION 'as the test says' USING ERRCODE = code; END $$`);
    await database.pool.query(`CREATE FUNCTION fail_at_insert() RETURNS trigger LANGUAGE plpgsql AS $$
      BEGIN PERFORM fail(current_setting('test.code')); END $$`);
    await database.pool.query(
      'CREATE TRIGGER failing BEFORE INSERT ON process_heartbeat FOR EACH ROW EXECUTE FUNCTION fail_at_insert()',
    );
  });
  afterAll(() => database.close());

  const thrownBy = (work: PromiseLike<unknown>): Promise<unknown> =>
    Promise.resolve(work).then(
      () => undefined,
      (error: unknown) => error,
    );

  /** The error of a statement that fails with this code: of the driver, of Prisma's raw queries, and of its models. */
  async function errorsOf(code: string): Promise<readonly unknown[]> {
    const { pool, prisma } = database;
    return Promise.all([
      thrownBy(pool.query('SELECT fail($1)', [code])),
      thrownBy(prisma.$queryRaw`SELECT fail(${code})::text`),
      thrownBy(
        prisma.$transaction(async (transaction) => {
          await transaction.$executeRaw`SELECT set_config('test.code', ${code}, true)`;
          await transaction.processHeartbeat.create({ data: { processId: newId(), seenAt: new Date() } });
        }),
      ),
    ]);
  }

  it.each(['53000', '53100', '53200', '53300', '53400', '58000', '58030', '58P01', '57P05', '25P03'])(
    'with %s is that it cannot be used now',
    async (code) => {
      expect((await errorsOf(code)).map(isDatabaseUnavailable)).toEqual([true, true, true]);
    },
  );

  it.each(['40001', '40P01', '55P03', '57014'])('with %s is that a statement may succeed later', async (code) => {
    const errors = await errorsOf(code);
    expect([errors.map(isDatabaseTimeout), errors.map(isDatabaseUnavailable)]).toEqual([
      [true, true, true],
      [false, false, false],
    ]);
  });

  it.each(['XX001', '42883', '22012', '23514'])('with %s is no such thing', async (code) => {
    expect((await errorsOf(code)).map(isDatabaseTimeout)).toEqual([false, false, false]);
  });

  it('is nothing to a process that has ended its connections: what still asks is to be asked elsewhere', async () => {
    const ended = openDatabase({ url: database.url });
    const client = await ended.pool.connect();
    const closing = client.end();
    const errors = [await thrownBy(client.query('SELECT 1'))];
    await closing;
    client.release(true);
    await ended.close();
    errors.push(await thrownBy(ended.pool.query('SELECT 1')), await thrownBy(ended.prisma.merchant.count()));
    expect(errors.map(isDatabaseUnavailable)).toEqual([true, true, true]);
  });
});
