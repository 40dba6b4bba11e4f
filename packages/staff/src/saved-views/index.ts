export { findViewsNaming, removeViews } from './customer-views.ts';
export { listViews, removeView, saveView } from './saved-views.ts';
