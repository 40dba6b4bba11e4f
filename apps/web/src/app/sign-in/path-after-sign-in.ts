const HOME = '/overview';

/** Where to go after signing in: a path of this application, or the overview for anything else. */
export function pathAfterSignIn(next: string | string[] | undefined): string {
  if (typeof next !== 'string' || !/^\/(?![/\\])/.test(next)) return HOME;
  const url = URL.canParse(next, 'http://ours') ? new URL(next, 'http://ours') : null;
  if (url === null || url.host !== 'ours' || url.pathname.startsWith('/sign-in')) return HOME;
  return `${url.pathname}${url.search}`;
}
