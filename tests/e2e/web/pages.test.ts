/**
 * One file for all pages that a browser opens (examples/plain-page, the app of examples/web, GraphiQL, the merchant's
 * endpoint): a stack and a browser cost more than most of the tests.
 */
import '../graphiql.suite.ts';
import '../merchant-endpoint.suite.ts';
import '../web-app-journey.suite.ts';
import '../web-app-languages.suite.ts';
import '../web-app-subscription.suite.ts';
import '../web-app-sign-in.suite.ts';
import '../web-app-trouble.suite.ts';
// Last: they move the clock by minutes and hours.
import './overdue-orders.suite.ts';
import './web-page.suite.ts';
