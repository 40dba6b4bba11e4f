/** Severities in a word, with their tone. Information is work that waits without a fault. */
export const SEVERITY_LABELS = {
  critical: { word: 'Critical', tone: 'bad' },
  warning: { word: 'Warning', tone: 'wait' },
  info: { word: 'To do', tone: 'wait' },
} as const;
