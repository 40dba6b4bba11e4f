import classes from './export-button.module.css';

/** The look of a button that offers a list as a file. */
export const exportClass = classes.button ?? '';
