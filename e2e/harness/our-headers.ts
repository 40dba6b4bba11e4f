import { expect } from 'vitest';
import type { Reply } from './web-process.ts';

const uuid = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/;

/** Expects what every answer under `/v1` carries, whatever its status, and nothing it must not carry. */
export function expectOurHeaders({ headers }: Reply): void {
  expect(headers['content-type']).toBe('application/json; charset=utf-8');
  expect(headers['x-request-id']).toMatch(uuid);
  expect(headers['server-timing']).toMatch(
    /^auth;dur=\d+\.\d{3}, route;dur=\d+\.\d{3}, db;dur=\d+\.\d{3}, gateway;dur=\d+\.\d{3}$/,
  );
  expect(headers['cache-control']).toBe('no-store');
  expect(Object.keys(headers).filter((name) => /^(etag|location|access-control-.*)$/.test(name))).toEqual([]);
}
