import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';

const ROOT = join(import.meta.dirname, '..');

/** Modules of the programs of an installation that open connections and who says where to. */
const CALLERS: Readonly<Record<string, string>> = {
  'packages/gateways/src/addresses/addresses.ts': 'people: each connection is checked',
  'packages/gateways/src/connections.ts': 'people: through the checked connector',
  'packages/webhooks/src/deliveries/send.ts': 'people: through the checked connector',
  'packages/staff/src/single-sign-on/provider-calls.ts': 'people: through the checked connector',
  'packages/runtime/src/mail/mailer.ts': 'a setting',
  'packages/telemetry/src/tracing/otlp-tracing.ts': 'a setting',
  'packages/db/src/change-hints.ts': 'a setting: the database',
  'apps/web/src/server/reporting.ts': 'a setting',
  'apps/web/src/clock/server-clock.ts': 'the browser, at its own origin',
  'apps/web/src/trpc/long-calls.ts': 'the browser, at its own origin',
  'apps/web/src/app/(admin)/reports/page.tsx': 'a setting',
};

/** Libraries and functions that open connections. Types are erased. */
const CALLING = [
  /^import (?!type\b)(?!\{\s*type [^,}]*\}).*from '(?:undici|nodemailer|httpxy|axios|got|node-fetch|ws)'/m,
  /\bimport\('(?:undici|nodemailer|httpxy|axios|got|node-fetch|ws)'\)/,
  /^import (?!type\b)[^;]*\b(?:request|get|connect|createConnection|Socket|Agent)\b[^;]*from '(?:node:)?(?:https?|http2|net|tls|dgram)'/m,
  /^import (?!type\b)[^;]*from '@opentelemetry\/exporter[^']*'/m,
  // Relative addresses are the browser's own; a `fetch` with anything else may lead elsewhere.
  /(?<![.\w])fetch\((?!['`]\/|page\b|address\b)/,
  /\bnew (?:WebSocket|EventSource)\((?!['`]\/)/,
];

it('connections are opened by known modules alone: what people enter is called through the checked connector', () => {
  const files = globSync(['packages/*/src/**/*.ts', 'apps/{web,worker,reporting}/{,src/**/}*.{ts,tsx}'], { cwd: ROOT }).filter(
    (path) =>
      !/\.(test|spec|d)\.tsx?$|\/testing\/|^packages\/(cli|client)\/|\/docs\/_content\/samples\/|node_modules|\.next/.test(path),
  );
  expect(files.length).toBeGreaterThan(500);
  const callers = files.filter((path) => {
    const code = readFileSync(join(ROOT, path), 'utf8').replace(/^\s*(\/\/|\*|\/\*).*$/gm, '');
    return CALLING.some((pattern) => pattern.test(code));
  });
  expect(callers.toSorted()).toEqual(Object.keys(CALLERS).toSorted());
});

it('no form of deployment allows addresses of private networks', () => {
  const files = globSync('deploy/**/*', { cwd: ROOT, withFileTypes: true }).filter((entry) => entry.isFile());
  expect(files.length).toBeGreaterThan(10);
  for (const { parentPath, name } of files) {
    expect(readFileSync(join(parentPath, name), 'utf8'), name).not.toContain('SWITCHYARD_PRIVATE_ADDRESSES');
  }
});
