/** Stores whether the navigation is collapsed. */
export const RAIL_COOKIE = 'rail';
