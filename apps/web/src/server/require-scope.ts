import { cookies } from 'next/headers';
import { redirect } from 'next/navigation';
import { loadScope, MODE_COOKIE, type Scope } from '../scope/scope.ts';

/** The query parameters of a page, as Next passes them. */
export type PageQuery = Promise<Record<string, string | string[] | undefined>>;

/** The scope of a page's address. An address that names no mode is led to the one that does, by the mode last chosen. */
export async function requireScope(path: string, searchParams: PageQuery): Promise<Scope> {
  const query = await searchParams;
  const { mode, merchant } = await loadScope(query);
  if (mode !== null) return { mode, merchantId: merchant };
  const chosen = (await cookies()).get(MODE_COOKIE)?.value === 'live' ? 'live' : 'test';
  const search = new URLSearchParams({ mode: chosen });
  for (const [name, value] of Object.entries(query)) {
    if (name !== 'mode' && typeof value === 'string') search.set(name, value);
  }
  redirect(`${path}?${search}`);
}
