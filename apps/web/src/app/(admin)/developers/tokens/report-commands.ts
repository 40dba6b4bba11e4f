/** Text in place of a token that is not known. */
export const ANY_TOKEN = '<token>';

/** A shell command that requests thirty days of volume with a token. */
export function volumeCommand(
  publicUrl: string,
  { mode, now, token = ANY_TOKEN }: { readonly mode: 'test' | 'live'; readonly now: number; readonly token?: string },
): string {
  const to = new Date(now).toISOString().slice(0, 10);
  const from = new Date(now - 30 * 86_400_000).toISOString().slice(0, 10);
  const query = [
    `{ volume(filter: { mode: ${mode}, from: \\"${from}T00:00:00Z\\", to: \\"${to}T00:00:00Z\\" }, groupBy: [day])`,
    '{ ... on VolumeReport { total { paidAmount } rows { periodStart sums { paid paidAmount fees net } } } } }',
  ].join(' ');
  return [
    `curl ${publicUrl}/api/graphql \\`,
    `  -H 'Authorization: Bearer ${token}' \\`,
    `  -H 'Content-Type: application/json' \\`,
    `  -d '{"query":"${query}"}'`,
  ].join('\n');
}

/** A shell command that exports payments as a file. */
export function exportCommand(publicUrl: string, mode: 'test' | 'live'): string {
  return [
    `curl -G ${publicUrl}/api/export/payments \\`,
    `  -H 'Authorization: Bearer ${ANY_TOKEN}' \\`,
    `  -d format=ndjson \\`,
    `  --data-urlencode 'filter={"mode":"${mode}"}'`,
  ].join('\n');
}
