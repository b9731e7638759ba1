package dev.handofffence.consumer.quickstart;

import java.util.List;

/**
 * Everything that one run found out.
 *
 * @param naiveLeaseLost calls that the provider got for one Work when a dead owner sent as well
 * @param naivePermissionRevoked calls that the provider got although the permission was gone
 * @param stories with the fence: sent, ordered twice, lease lost, permission revoked
 */
record Findings(int naiveLeaseLost, int naivePermissionRevoked, List<Story> stories) {

  Story sent() {
    return stories.get(0);
  }

  Story orderedTwice() {
    return stories.get(1);
  }

  Story leaseLost() {
    return stories.get(2);
  }

  Story permissionRevoked() {
    return stories.get(3);
  }
}
