import { clockIn } from '@switchyard/routing';

/** The zone times are shown in. */
export const ZONE = 'Africa/Lagos';

/** How sentences on the page write times. */
export const PAGE_CLOCK = clockIn(ZONE);
