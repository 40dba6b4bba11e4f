/**
 * Who may import whom: the arrows of the architecture, each of which is a line in a package.json. Whatever is not declared there
 * cannot be imported, which `turbo boundaries` checks along with the tags in `turbo.json`.
 */
export const ARROWS: Readonly<Record<string, readonly string[]>> = {
  'packages/routing': [],
  'packages/gateways': [],
  'packages/db': [],
  'packages/payments': ['db', 'gateways', 'routing'],
  'packages/merchants': ['db', 'routing'],
  'packages/api': ['db', 'merchants', 'payments'],
  'apps/web': ['api'],
  'apps/reporting': ['api'],
  'apps/worker': ['merchants', 'payments'],
  'apps/sandbox': [],
};

/** Name of the package in a workspace folder: `packages/db` is `@switchyard/db`. */
export function packageName(folder: string): string {
  return `@switchyard/${folder.split('/')[1] ?? folder}`;
}
