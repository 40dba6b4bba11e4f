/** Remembers whether the navigation is narrowed. */
export const RAIL_COOKIE = 'rail';
