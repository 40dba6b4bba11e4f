import { expect, test } from 'vitest';
import { formatTimestamp } from '../format/moments.ts';
import { viewerZone } from '../format/zone.ts';
import { inZoneOf, zoneInCookie } from './request-zone.ts';

const asking = (cookie?: string) => ({ headers: cookie === undefined ? {} : { cookie } });
const moment = new Date('2026-11-23T23:30:00.000Z');

test('pages rendered at the same time are each in the zone of their own request', async () => {
  const render = async () => {
    await new Promise((done) => setTimeout(done, 1));
    return [viewerZone(), formatTimestamp(moment)];
  };
  expect(
    await Promise.all([
      inZoneOf(asking('a=1; zone=Asia%2FKolkata'), render),
      inZoneOf(asking('zone=America%2FNew_York'), render),
      inZoneOf(asking(), render),
    ]),
  ).toEqual([
    ['Asia/Kolkata', 'Tue, 24 Nov 2026, 05:00:00.000 GMT+5:30'],
    ['America/New_York', 'Mon, 23 Nov 2026, 18:30:00.000 GMT-5'],
    ['Africa/Lagos', 'Tue, 24 Nov 2026, 00:30:00.000 GMT+1'],
  ]);
});

test.each(['', 'zone=', 'zone=Moon%2FBase', 'zone=%', 'zones=Asia%2FKolkata'])('%j names no zone', (header) => {
  expect(zoneInCookie(header)).toBeNull();
});
