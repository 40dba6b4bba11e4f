import classes from './export-button.module.css';

/** The class of an export button. */
export const exportClass = classes.button ?? '';
