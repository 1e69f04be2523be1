/** The most characters of a search for organizations or people, in the API and in the dashboard. */
export const SEARCH_CHARS_MAX = 100;
