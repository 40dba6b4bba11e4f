import { describe, expect, it } from 'vitest';
import { isDatabaseTimeout, isDatabaseUnavailable } from './database-unavailable.ts';
import { Prisma } from './generated/client.ts';

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
