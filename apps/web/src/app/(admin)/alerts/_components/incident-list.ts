import type { ListDefinition } from '#/components/list/use-list.ts';

/** The list of open incidents. */
export const OPEN_LIST: ListDefinition = {
  page: 'alerts',
  orders: [
    { by: 'began', descending: true, title: 'Started' },
    { by: 'severity', descending: true },
  ],
};

/** The list of incidents that have ended: older ones come page by page. */
export const CLOSED_LIST: ListDefinition = {
  page: 'alert-history',
  orders: [
    { by: 'began', descending: true, title: 'Started' },
    { by: 'ended', descending: true },
    { by: 'lasted', descending: true, title: 'Duration' },
    { by: 'severity', descending: true },
  ],
};
