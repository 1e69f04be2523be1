/** The id of the bar that stays at the top of the window on a phone. */
export const TOP_BAR = 'top-bar';
