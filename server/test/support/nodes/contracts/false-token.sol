// SPDX-License-Identifier: MIT
pragma solidity 0.8.37;

import "./plain-token.sol";

/// Returns false where others revert, and logs a transfer that never happened.
contract FalseToken is PlainToken {
    constructor(uint256 supply) PlainToken(supply) {}

    function transfer(address to, uint256 value) public override returns (bool) {
        if (balances[msg.sender] >= value) return super.transfer(to, value);
        emit Transfer(msg.sender, to, value);
        return false;
    }
}
