/** The page to show for another merchant or mode: what was open on this one may not exist there, so its list is shown instead. */
export function pathInOtherScope(pathname: string): string {
  const [, first = 'overview'] = pathname.split('/');
  // Customers have no list: they are found among payments.
  return first === 'customers' ? '/payments' : `/${first}`;
}

/** The parameters of the URL that name what is open, or chosen, of one merchant and mode. */
export const OPEN_IN_SCOPE = ['payment', 'discrepancy', 'delivery', 'account', 'key'] as const;
