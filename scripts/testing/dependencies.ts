/**
 * Which of our packages each workspace may depend on. Each entry is a line in a package.json: `turbo boundaries` refuses imports that
 * are not declared there, and {@link forbiddenDependencies} finds what is declared there and not allowed here.
 */
export const ALLOWED_DEPENDENCIES: Readonly<Record<string, readonly string[]>> = {
  'packages/routing': [],
  'packages/gateways': [],
  'packages/db': [],
  'packages/client': [],
  'packages/cli': ['client'],
  'packages/runtime': ['db', 'gateways', 'routing'],
  'packages/merchants': ['db', 'gateways', 'routing', 'runtime'],
  'packages/reporting': ['db'],
  'packages/staff': ['db', 'merchants', 'runtime'],
  'packages/webhooks': ['db', 'gateways', 'merchants', 'runtime'],
  'packages/provider-health': ['db', 'gateways', 'merchants', 'routing', 'runtime'],
  'packages/rule-sets': ['db', 'gateways', 'merchants', 'provider-health', 'routing', 'runtime', 'staff'],
  'packages/payments': ['db', 'gateways', 'merchants', 'provider-health', 'routing', 'rule-sets', 'runtime', 'webhooks'],
  'packages/reconciliation': ['db', 'gateways', 'payments', 'runtime'],
  'packages/privacy': [
    'alerts',
    'db',
    'merchants',
    'payments',
    'provider-health',
    'reconciliation',
    'reporting',
    'rule-sets',
    'runtime',
    'staff',
    'webhooks',
  ],
  'packages/alerts': [
    'db',
    'gateways',
    'merchants',
    'payments',
    'provider-health',
    'reconciliation',
    'routing',
    'runtime',
    'staff',
    'webhooks',
  ],
  'packages/telemetry': ['db', 'gateways', 'payments', 'webhooks'],
  'packages/compat': ['db', 'payments', 'routing', 'webhooks'],
  'packages/api': [
    'alerts',
    'compat',
    'db',
    'gateways',
    'merchants',
    'payments',
    'privacy',
    'provider-health',
    'reconciliation',
    'reporting',
    'routing',
    'rule-sets',
    'runtime',
    'staff',
    'telemetry',
    'webhooks',
  ],
  'apps/web': ['api', 'routing'],
  'apps/reporting': ['api'],
  'apps/worker': [
    'alerts',
    'compat',
    'db',
    'payments',
    'privacy',
    'provider-health',
    'reconciliation',
    'reporting',
    'rule-sets',
    'runtime',
    'telemetry',
    'webhooks',
  ],
  'apps/sandbox': [],
  'apps/example-shop': ['client'],
};

/** Of the packages that the workspace in a folder declares, by name, ours that the architecture does not allow it. */
export function forbiddenDependencies(folder: string, declared: readonly string[]): string[] {
  const allowed = (ALLOWED_DEPENDENCIES[folder] ?? []).map((each) => `@switchyard/${each}`);
  return declared.filter((name) => name.startsWith('@switchyard/') && !allowed.includes(name));
}

/** Name of the package in a workspace folder: `packages/db` is `@switchyard/db`. */
export function packageName(folder: string): string {
  return folder === 'apps/reporting' ? '@switchyard/reporting-server' : `@switchyard/${folder.split('/')[1] ?? folder}`;
}
