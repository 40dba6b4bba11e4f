import { readdirSync, readFileSync } from 'node:fs';
import { afterAll, describe, expect, it } from 'vitest';
import { certificationSchema } from './certification/report.ts';
import { closeGatewayConnections } from './connections.ts';
import { replayRecordings, replayWebhooks } from './testing/replay.ts';

const folder = new URL('../recordings/', import.meta.url);
/** A second whose digits are those of a card by their check digit. */
const LUHN_VALID_TIME = '20261127112641';
const files = readdirSync(folder).filter((name) => name.endsWith('.json'));

afterAll(() => closeGatewayConnections());

it('there are recordings', () => {
  expect(files.length).toBeGreaterThan(0);
});

describe.each(files)('the recordings of %s', (file) => {
  const report = certificationSchema.parse(JSON.parse(readFileSync(new URL(file, folder), 'utf8')));

  it('are named after the gateway, and after the simulator where they were made from it', () => {
    const local = report.hosts.some((host) => /^http:\/\/(127\.0\.0\.1|localhost)/.test(host));
    expect(file).toMatch(local ? new RegExp(`^simulator-${report.gateway}-`) : new RegExp(`^${report.gateway}-`));
  });

  it('are read by the connector as they were', async () => {
    const replayed = await replayRecordings(report);
    expect(replayed.length).toBeGreaterThan(0);
    expect(replayed.map((each) => each.replayed)).toEqual(replayed.map((each) => each.recorded));
  });

  it('are read as they were at any second', async () => {
    const text = JSON.stringify(report).replaceAll(/MNFY(\||%7C)(\d+)\1\d{14}(?=\1)/g, (_all, between, id) =>
      ['MNFY', id, LUHN_VALID_TIME].join(between),
    );
    const replayed = await replayRecordings(certificationSchema.parse(JSON.parse(text)));
    expect(replayed.map((each) => each.replayed)).toEqual(replayed.map((each) => each.recorded));
  });

  it('are found out where the connector sends something else', async () => {
    const recordings = report.recordings.map((recording) => ({
      ...recording,
      input: { ...recording.input, amount: '777', from: '2026-11-01T00:00:00.000Z' },
    }));
    const replayed = await replayRecordings({ ...report, recordings });
    const wrong = replayed.filter(
      ({ replayed: { calls }, recorded }) => JSON.stringify(calls) !== JSON.stringify(recorded.calls),
    );
    expect(wrong.map(({ name }) => name)).toEqual(
      expect.arrayContaining(['open: open', 'list_payments: listPayments', 'refund_part: refund']),
    );
  });

  it('are found out where the gateway answers otherwise', async () => {
    const recordings = report.recordings.map((recording) => ({
      ...recording,
      exchanges: recording.exchanges.map((exchange) => ({ ...exchange, status: 500 })),
    }));
    const replayed = await replayRecordings({ ...report, recordings });
    const wrong = replayed.filter((each) => each.replayed.code !== each.recorded.code);
    expect(wrong.map(({ name }) => name)).toEqual(
      expect.arrayContaining(['open: open', 'payment: verify', 'refund_part: refund']),
    );
  });

  it('have webhooks that are read as they were', () => {
    const replayed = replayWebhooks(report);
    expect(replayed.map((each) => each.replayed)).toEqual(replayed.map((each) => each.recorded));
  });

  it('name no person and no key', () => {
    const text = JSON.stringify(report);
    expect(text).not.toMatch(/sk_(test|live)_|FLWSECK|MK_(TEST|PROD)_/);
    const emails = text.match(/[\w.+-]+@[\w-]+\.[\w.]+/g) ?? [];
    expect(emails.filter((email) => !/@example\.com$/.test(email))).toEqual([]);
    const phones = text.match(/(?<![\w.|-])(?:\+?234[ -]?0?|0)[789][01]\d[ -]?[\d*]{3}[ -]?[\d*]{4}(?![\w|-])/g) ?? [];
    expect(phones).toEqual([]);
    const values = report.webhooks.flatMap(({ headers }) => Object.entries(headers).filter(([name]) => name !== 'content-type'));
    expect(values.filter(([, value]) => value !== '[redacted]')).toEqual([]);
    expect(text).not.toMatch(/[0-9a-f]{64}/i);
  });
});
