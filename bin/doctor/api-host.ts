/** Whether the host that links in mail and pages have leads to the API, and lasts. */
import { apiProblem } from '../operator/api-problem.ts';
import { type Check, deploymentOf, failure, ok, warning } from './check.ts';

export const apiHost: Check = {
  title: 'Host of the API',
  needs: 'deployment',
  async examine(examined) {
    const { apiBaseUrl } = deploymentOf(examined);
    if (apiBaseUrl === '') {
      return [
        warning(
          'Links in mail have the host that API Gateway gave the API: they are dead when the stack is made anew.',
          'Deploy with apiDomain (docs/deploying.md#host-of-the-api) before you send mail whose links matter.',
        ),
      ];
    }
    const problem = await apiProblem(apiBaseUrl);
    if (problem === null) return [ok(`${apiBaseUrl} leads to the API.`)];
    return [
      failure(
        `Links in mail lead nowhere: ${problem}`,
        'Publish the CNAME record to the output ApiDomainTarget of the API stack, or look at your proxy.',
      ),
    ];
  },
};
