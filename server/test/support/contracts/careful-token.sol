// SPDX-License-Identifier: MIT
pragma solidity 0.8.37;

import "./blocklist-token.sol";

/// Changes an allowance only from or to zero, as USDT does. It also has USDT's list of the blocked.
contract CarefulToken is BlocklistToken {
    constructor(uint256 supply) BlocklistToken(supply) {}

    function approve(address spender, uint256 value) public override returns (bool) {
        require(value == 0 || allowance[msg.sender][spender] == 0, "take the old one back first");
        return super.approve(spender, value);
    }
}
