import { spawnSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { writeFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { expect } from 'vitest';

/** The address of the installation in recorded examples; pages show their own in its place. */
export const EXAMPLE_URL = 'https://switchyard.example';

const UUID = /[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}/g;
/** Our reference of an attempt: the payment's id without hyphens, and the attempt's position. */
const REFERENCE = /sy([0-9a-f]{8})([0-9a-f]{4})([0-9a-f]{4})([0-9a-f]{4})([0-9a-f]{12})(\d\d)/g;

/** When a recorded resource was created and changed. */
export interface ExampleTimes {
  readonly createdAt: string;
  readonly updatedAt: string;
}

/** Replaces whatever differs from run to run by values that look alike and never change. Ids that are equal stay equal. */
export interface StableValues {
  replace(value: unknown, times: ExampleTimes): unknown;
}

export function openStableValues(publicUrl: string): StableValues {
  const ids = new Map<string, string>();

  function stableId(id: string): string {
    const known = ids.get(id) ?? makeId(ids.size);
    ids.set(id, known);
    return known;
  }

  function stableText(text: string): string {
    return (
      text
        .replaceAll(UUID, stableId)
        .replaceAll(REFERENCE, (_, ...[a, b, c, d, e, position]: string[]) => {
          return `sy${stableId([a, b, c, d, e].join('-')).replaceAll('-', '')}${position}`;
        })
        .replaceAll(publicUrl, EXAMPLE_URL)
        .replace(/^http:\/\/127\.0\.0\.1:\d+(\/.*\/)[^/]+$/, 'https://sandbox.switchyard.example$14kzq81m2tr')
        // Requests reach the harness without a connection; where a server of this process records addresses, with this machine's.
        .replace(/(?<=used from )(?:an unknown address|127\.0\.0\.1)$/, '198.51.100.24')
        .replace(/^M-\d{8}$/, 'M-48213907')
        // The simulators number what they have from the time they began.
        .replace(/^1\d{12}$/, '4099260516')
    );
  }

  function stable(name: string, value: unknown, times: ExampleTimes): unknown {
    if (Array.isArray(value)) return value.map((item) => stable(name, item, times));
    if (typeof value === 'object' && value !== null) {
      return Object.fromEntries(Object.entries(value).map(([inner, held]) => [inner, stable(inner, held, times)]));
    }
    if (typeof value !== 'string') return value;
    switch (name) {
      case 'createdAt':
      case 'openedAt':
      case 'decidedAt':
        return times.createdAt;
      case 'settledOn':
        return times.createdAt.slice(0, 10);
      case 'closedAt':
      case 'occurredAt':
      case 'updatedAt':
        return times.updatedAt;
      case 'dueAt':
        return new Date(Date.parse(times.createdAt) + 16 * 3_600_000).toISOString();
      case 'gatewayDisputeId':
        return '358950';
      case 'nextCursor':
        return 'eyJjcmVhdGVkQXQiOiIyMDI2LTExLTIxIn0';
      case 'access_code':
      case 'accessCode':
        return value === '' ? '' : '4kzq81m2tr';
      default:
        return stableText(value);
    }
  }

  return { replace: (value, times) => stable('', value, times) };
}

/** A UUIDv7 of the same number, always. */
function makeId(number: number): string {
  const hash = createHash('sha256').update(`example ${number}`).digest('hex');
  return `019a9d3c-${hash.slice(0, 4)}-7${hash.slice(4, 7)}-9${hash.slice(7, 10)}-${hash.slice(10, 22)}`;
}

/** Set to 1, records are written anew instead of compared. */
const RECORD = process.env.RECORD_EXAMPLES === '1';

/** Expects a record in the repository to equal what was found now; writes it where `RECORD_EXAMPLES=1`. */
export function expectKept(kept: unknown, found: unknown, file: URL): void {
  if (RECORD) {
    writeFileSync(file, `${JSON.stringify(found, null, 2)}\n`);
    spawnSync('npx', ['biome', 'format', '--write', fileURLToPath(file)]);
  } else expect(kept, 'RECORD_EXAMPLES=1 npm test -- night e2e/documentation writes it anew').toEqual(found);
}
