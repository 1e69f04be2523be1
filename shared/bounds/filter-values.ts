/** The most values of one filter of a list, in the API and in addresses of the dashboard. */
export const FILTER_VALUES_MAX = 20;
