import type { Timings } from '@switchyard/payments';

const NAMES = ['auth', 'route', 'db', 'gateway'] as const;
type Name = (typeof NAMES)[number];

/** Sums up the phases of a request for the `Server-Timing` header (W3C Server Timing; milliseconds). */
export function startServerTiming(): Timings & { add(name: Name, milliseconds: number): void; header(): string } {
  const spent: Record<Name, number> = { auth: 0, route: 0, db: 0, gateway: 0 };
  return {
    add(name, milliseconds) {
      spent[name] += milliseconds;
    },
    header: () => NAMES.map((name) => `${name};dur=${spent[name].toFixed(3)}`).join(', '),
  };
}
