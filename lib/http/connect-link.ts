/** Links to the hosted page of an OAuth app. */

/** The parameters of a link that mean something; null where they are absent. */
export function linkParameters(query: URLSearchParams) {
  return { returnTo: query.get('return_to'), ref: query.get('ref'), spaceId: query.get('space_id') };
}
