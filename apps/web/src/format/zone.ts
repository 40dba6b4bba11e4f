/** The zone times are shown in. */
export const ZONE = 'Africa/Lagos';
