/** The choice to end a drain by itself. */
export const PUT_BACK = {
  label: 'Put back by itself when recovered',
  description: 'After five minutes without trouble. Its first checkouts are probe payments.',
} as const;
