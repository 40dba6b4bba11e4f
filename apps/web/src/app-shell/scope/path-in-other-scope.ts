/** The page to show for another merchant or mode: what was open on this one may not exist there, so its list is shown instead. */
export function pathInOtherScope(pathname: string): string {
  const [, first = 'overview'] = pathname.split('/');
  return `/${first}`;
}
